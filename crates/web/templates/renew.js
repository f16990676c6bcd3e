// Renews the page in place, so that what a reader unfolded stays unfolded. Without script the page reloads instead.
"use strict";
const seconds = Number(document.documentElement.dataset.refresh);
const lost = document.getElementById("lost");
let busy = false;

async function renew() {
  // What is being selected is about to be copied.
  if (busy || document.hidden || !getSelection().isCollapsed) return;
  busy = true;
  try {
    const answer = await fetch(location.href, { signal: AbortSignal.timeout(10000) });
    if (!answer.ok) throw new Error(answer.statusText);
    const next = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const details of document.querySelectorAll("details")) {
      const twin = next.getElementById(details.id);
      if (twin) twin.open = details.open;
    }
    const focused = document.activeElement.closest("details")?.id;
    document.getElementById("page").replaceWith(next.getElementById("page"));
    if (focused) document.getElementById(focused)?.querySelector("summary").focus({ preventScroll: true });
    document.querySelector("link[rel=icon]").href = next.querySelector("link[rel=icon]").href;
    document.title = next.title;
    lost.textContent = next.getElementById("lost").textContent;
    lost.hidden = true;
  } catch {
    lost.hidden = false;
    document.title = "(no answer) otpsd";
  } finally {
    busy = false;
  }
}

setInterval(renew, seconds * 1000);
document.addEventListener("visibilitychange", renew);
