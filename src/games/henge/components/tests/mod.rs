mod faults;
mod fuzz;
mod reading;
mod words;
