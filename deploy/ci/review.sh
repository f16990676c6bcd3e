#!/bin/sh
# Reviews a change of the configuration: is it valid, do its tests hold, what does it change, what would it have done?
# For any CI, and for a shell. It asks nothing of AWS, tells nobody anything and needs no secret.
#
#   deploy/ci/review.sh [--config PATH] [--base REF] [--tests PATH] [--out DIR] [--report-url URL] [RECORDING...]
#
#   --config PATH      the configuration, a file or a folder of this repository; `config` if not given
#   --base REF         the commit to compare with, as git names it: what the branch will be merged into
#   --tests PATH       unit tests of alarms; those beside the configuration if not given
#   --out DIR          where the files below go; `review` if not given
#   --report-url URL   where report.html can be read once CI has kept it, for the link to it
#   RECORDING...       history, as `otpsd record` writes it; without, there is no backtest
#
# It writes comment.md (for the pull request), plan.json, check.txt, test.txt and, with recordings, report.html. The environment variable
# OTPSD names the binary. Exit codes: 0 done, 1 the configuration is invalid or a test of it fails, 2 usage, 3 cannot run.
# shellcheck disable=SC2016 # backticks in single quotes are those of Markdown
set -u

# What GitHub takes of a comment is 65,536 characters; others take more.
most=60000
# Under this line the comment of before is found again.
marker='<!-- otpsd review -->'

otpsd=${OTPSD:-otpsd}
config=config base='' tests='' out=review report_url=''

usage() {
  [ $# -eq 0 ] || echo "error: $*" >&2
  sed -n '5,15s/^# \{0,3\}//p' "$0" >&2
  exit 2
}

while [ $# -gt 0 ]; do
  case $1 in
    --config | --base | --tests | --out | --report-url) [ $# -ge 2 ] || usage "$1 needs a value" ;;
    --) shift && break ;;
    -*) usage "unknown option $1" ;;
    *) break ;;
  esac
  case $1 in
    --config) config=$2 ;;
    --base) base=$2 ;;
    --tests) tests=$2 ;;
    --out) out=$2 ;;
    --report-url) report_url=$2 ;;
  esac
  shift 2
done
# What is left are the recordings.

mkdir -p "$out" || exit 3
command -v "$otpsd" >/dev/null || { echo "error: there is no $otpsd; OTPSD names the binary" >&2 && exit 3; }
comment=$out/comment.md
rm -f "$comment" "$out/plan.json" "$out/report.html" "$out/check.txt" "$out/test.txt"
parts=$(mktemp -d) || exit 3
trap 'rm -rf "$parts"' EXIT

# A text as a block of code, which nothing in it can end.
block() {
  printf '```text\n'
  sed 's/```/'"'''"'/g' "$1"
  printf '```\n'
}

# Puts the comment together from the parts, cut where it would be refused, and ends with an exit code.
finish() {
  {
    printf '%s\n' "$marker"
    cat "$parts"/*.md
  } | awk -v most="$most" '
    # Lines up to the most that fit. What is open then is closed, or the rest of the page would be part of it.
    { size += length($0) + 1 }
    size > most { cut = 1; exit }
    { print }
    /^```/ { fenced = !fenced }
    /<details>/ { open++ }
    /<\/details>/ { open-- }
    END {
      if (!cut) exit
      if (fenced) print "```"
      while (open-- > 0) print "\n</details>"
      print "\n**The rest does not fit a comment**: it is in the files that CI has kept."
    }' >"$comment"
  exit "$1"
}

# --- check: as annotations where there is a page to show them on.
"$otpsd" check "$config" >"$parts/check" 2>&1
code=$?
# That secrets are not here is as it should be.
awk -v RS= '!/^warning: [^\n]* is not set\n/ { printf "%s%s\n", apart, $0; apart = "\n" }' "$parts/check" >"$out/check.txt"
if [ "${GITHUB_ACTIONS:-}" = true ]; then
  "$otpsd" check --format github "$config" 2>/dev/null | grep -v ' is not set%0A'
else
  cat "$out/check.txt"
fi
if [ "$code" -ne 0 ]; then
  {
    printf '### otpsd: the configuration is not valid\n\n'
    block "$out/check.txt"
    printf '\nWhat it would change, and would have done, can be said once it is.\n'
  } >"$parts/1.md"
  finish "$code"
fi
said="\`check\` $(tail -n 1 "$parts/check")"
if grep -q '^warning: ' "$out/check.txt"; then
  {
    printf '<details><summary>Warnings of check</summary>\n\n'
    block "$out/check.txt"
    printf '\n</details>\n\n'
  } >"$parts/5.md"
fi

# --- test
result=0
if [ -z "$tests" ] && [ -d "$config" ] && [ -n "$(find "$config" -name '*.test.toml' | head -n 1)" ]; then
  tests=$config
fi
if [ -n "$tests" ]; then
  "$otpsd" test "$tests" >"$out/test.txt" 2>&1
  code=$?
  cat "$out/test.txt"
  if [ "$code" -eq 0 ]; then
    said="$said · \`test\` $(tail -n 1 "$out/test.txt")"
  else
    result=$code
    said="$said · **\`test\` $(tail -n 1 "$out/test.txt")**"
    {
      printf '### otpsd: a test of the alarms fails\n\n'
      block "$out/test.txt"
      printf '\n'
    } >"$parts/1.md"
  fi
else
  said="$said · no tests"
fi

# --- plan and backtest, against what the branch will be merged into, if that can be compared with.
against=
if [ -n "$base" ]; then
  "$otpsd" plan --offline --config "$config" --against "$base:$config" >/dev/null 2>"$parts/why"
  code=$?
  if [ "$code" -eq 0 ]; then
    against=$base:$config
  elif git rev-parse --verify --quiet "$base^{commit}" >/dev/null; then
    {
      printf '`%s` cannot be compared with, so all of it is shown as it is:\n\n' "$base:$config"
      block "$parts/why"
      printf '\n'
    } >"$parts/2.md"
  else
    cat "$parts/why" >&2
    printf '### otpsd: cannot compare\n\n' >"$parts/1.md"
    block "$parts/why" >>"$parts/1.md"
    finish 3
  fi
fi

# Runs a command of otpsd for this configuration: NAME OUTPUT ARGUMENTS...
told() {
  name=$1 to=$2
  shift 2
  [ -z "$against" ] || set -- --against "$against" "$@"
  if ! "$otpsd" "$name" --config "$config" "$@" >"$to" 2>"$parts/error"; then
    cat "$parts/error" >&2
    {
      printf '### otpsd: `%s` cannot run\n\n' "$name"
      block "$parts/error"
      printf '\n'
    } >"$parts/1.md"
    finish 3
  fi
}

if [ $# -eq 0 ]; then
  said="$said · no recording, so no backtest"
  told plan "$out/plan.json" --offline --format json
  told plan "$parts/3.md" --offline --format markdown
  again=" Again: \`otpsd plan --config $config${against:+ --against $against}\`"
else
  told plan "$out/plan.json" --format json "$@"
  told plan "$parts/plan" --format markdown "$@"
  told backtest "$out/report.html" --format html "$@"
  report=report.html
  [ -z "$report_url" ] || report="[report.html]($report_url)"
  told backtest "$parts/3.md" --format markdown "$@"
  # What changes stands in the comment of the backtest already: of the plan there is what to look at, the rules and the bill.
  {
    printf '\nThe text of every page, with its charts: %s\n\n' "$report"
    awk '/^\*\*To look at\*\*$/ || /^<details>/ { shown = 1 } shown' "$parts/plan"
  } >"$parts/4.md"
fi

printf '\n%s · Not looked at here: whether roles and channels answer.%s\n' "$said" "${again:-}" >"$parts/9.md"
finish "$result"
