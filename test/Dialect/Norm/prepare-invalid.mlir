// RUN: renorm-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected 'norm.prepare' to be the name of a function, but got "g"}}
func.func private @f() attributes {norm.prepare = "g"}

// -----

// expected-error @below {{expected 'norm.prepare' on a function only}}
module attributes {norm.prepare = @g} {
}

// -----

// expected-error @below {{expected 'norm.prepared' of argument 0 to be a unit attribute, but got 1 : i64}}
func.func private @f(tensor<4xf32> {norm.prepared = 1})
