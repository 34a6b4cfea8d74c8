mod faults;
mod fuzz;
mod reading;
