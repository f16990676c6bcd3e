//! The engine, told stories in readings and asked what it says.

mod adoption;
mod adoption_is_living;
mod constant_speed;
mod episodes;
mod evidence;
mod explain;
mod hosts;
mod invariances;
mod learn_from;
mod levels;
mod methods;
mod missing;
mod overrides;
mod recipe;
mod tickets;
mod watches;
mod world;
