#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sarsen_matches::fuzzed::cursors(bytes));
