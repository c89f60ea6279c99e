// RUN: renorm-opt %s --split-input-file --verify-diagnostics

func.func @arguments(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a block argument for each of the 1 inputs, but got 0}}
  "norm.fusion"(%x) ({
    norm.yield
  }) {strategies = []} : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @argument_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected block argument 0 to have the input's type 'tensor<4xf32>', but got 'tensor<5xf32>'}}
  "norm.fusion"(%x) ({
  ^bb0(%a: tensor<5xf32>):
    norm.yield
  }) {strategies = []} : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @results(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected results of the types that are yielded, 'tensor<4xf32>', but got 'tensor<5xf32>'}}
  norm.fusion (%a = %x : tensor<4xf32>) -> (tensor<5xf32>) {
    norm.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @roots(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected one contraction at most, but got 2}}
  %0 = norm.fusion (%a = %x : tensor<4x4xf32>) -> (tensor<4x4xf32>) {
    %1 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
    // expected-note @+1 {{the second one}}
    %2 = linalg.matmul ins(%1, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
    norm.yield %2 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

func.func @strategy(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a fusion strategy, but got 'fast'}}
  norm.fusion strategies = [fast] () -> () {
  }
  return
}

// -----

func.func @isolated(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{required by region isolation constraints}}
  %0 = norm.fusion () -> (tensor<4xf32>) {
    // expected-error @+1 {{using value defined outside the region}}
    norm.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
