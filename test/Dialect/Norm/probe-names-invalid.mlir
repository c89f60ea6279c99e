// RUN: renorm-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected 'norm.probe_names' to be an array of strings, but got 1 : i64}}
module attributes {norm.probe_names = 1} {
}

// -----

// expected-error @below {{expected 'norm.probe_names' to be an array of strings, but got ["a", 1]}}
module attributes {norm.probe_names = ["a", 1]} {
}

// -----

// expected-error @below {{expected 'norm.probe_names' on a module only}}
func.func private @f() attributes {norm.probe_names = ["a"]}
