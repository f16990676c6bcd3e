//! The configuration as its users meet it: texts in, plans and rendered problems out.

mod cases;
mod files;
mod mistakes;
mod properties;
mod reference;
mod rendering;
mod secrets;
mod surroundings;
mod uses;
