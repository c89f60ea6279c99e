// Pre-LayerNorm networks become equal Pre-RMSNorm networks.

// RUN: split-file %s %t

// Everything that writes the trunk is centered: tables, weights and biases. Scale, bias and epsilon of the norms stay; so do
// the factors of an add. A second run finds RMSNorms.
// RUN: renorm-opt %t/fold.mlir '-norm-center-residual=embedding=fold' -o %t/fold.once
// RUN: FileCheck %s --check-prefix=FOLD --input-file=%t/fold.once
// FOLD-LABEL: func.func @fold
// FOLD-NOT: layer_norm
// FOLD: %[[TABLE:.*]] = arith.constant dense<{{\[\[}}-1.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
// FOLD: tensor.extract %[[TABLE]]
// FOLD: %[[POSITION:.*]] = arith.constant dense<[-5.000000e-01, 5.000000e-01]> : tensor<2xf32>
// FOLD: linalg.broadcast ins(%[[POSITION]]
// FOLD: %[[N:.*]] = norm.rms_norm %{{.*}} scale(%arg1 : tensor<2xf32>) bias(%arg2 : tensor<2xf32>) epsilon = 1.0e-05 epsilon_mode = clamp compute_type = f64 unit_offset {norm.centered} :
// FOLD: %[[W:.*]] = arith.constant dense<{{\[\[}}-1.000000e+00, 1.000000e+00], [-3.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
// FOLD: %[[F:.*]] = linalg.matmul ins(%[[N]], %[[W]]
// FOLD: %[[C:.*]] = arith.constant dense<[2.000000e+00, -2.000000e+00]> : tensor<2xf32>
// FOLD: linalg.broadcast ins(%[[C]]
// FOLD: norm.residual_add %{{.*}}, %{{.*}} residual_scale = 2.0 branch_scale = 0.5
// FOLD: norm.rms_norm %{{.*}} epsilon = 1.0e-05 {norm.centered} : tensor<4x2xf32>
// RUN: renorm-opt %t/fold.once '-norm-center-residual=embedding=fold' -o %t/fold.twice 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: remark: residual stream not centered: 'norm.rms_norm' reads the trunk at embedding: it is an RMSNorm already
// RUN: diff %t/fold.once %t/fold.twice

// A table that the head reads too stays as it is for the head; weights that two layers share are centered once a place.
// RUN: renorm-opt %t/tied.mlir '-norm-center-residual=embedding=fold' | FileCheck %s --check-prefix=TIED
// TIED-LABEL: func.func @tied
// TIED-DAG: %[[OWN:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00], [5.000000e+00, 5.000000e+00]]> : tensor<2x2xf32>
// TIED-DAG: %[[CENTERED:.*]] = arith.constant dense<{{\[\[}}-1.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
// TIED: tensor.extract %[[CENTERED]]
// TIED: %[[S:.*]] = norm.residual_add
// TIED-NEXT: %[[Y:.*]] = norm.rms_norm %[[S]]
// TIED-NEXT: linalg.matmul ins(%[[Y]], %[[OWN]]

// The features of a weight may be any dimension of it, moved to where they are read.
// RUN: renorm-opt %t/transposed.mlir -norm-center-residual 2>/dev/null | FileCheck %s --check-prefix=TRANSPOSED
// TRANSPOSED-LABEL: func.func @transposed
// TRANSPOSED: %[[W:.*]] = arith.constant dense<{{\[\[}}-1.000000e+00, -3.000000e+00], [1.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
// TRANSPOSED: %[[T:.*]] = linalg.transpose ins(%[[W]]
// TRANSPOSED-NEXT: linalg.matmul ins(%{{.*}}, %[[T]]
// TRANSPOSED-NOT: linalg.transpose

// Arguments are centered by a function that need run only once, each but once, in f64; the lookup of a table, too.
// RUN: renorm-opt %t/arguments.mlir '-norm-center-residual=weights=prepare embedding=fold' | FileCheck %s --check-prefix=ARGUMENTS
// ARGUMENTS-LABEL: func.func @arguments(%arg0: tensor<4xi64>, %arg1: tensor<?x8xbf16>, %arg2: tensor<8x8xbf16>)
// ARGUMENTS-NEXT: %[[P:.*]]:2 = call @arguments.prepare(%arg1, %arg2)
// ARGUMENTS-NEXT: call @arguments.prepared(%arg0, %arg2, %[[P]]#0, %[[P]]#1)
// ARGUMENTS-LABEL: func.func private @arguments.prepare(
// ARGUMENTS-SAME: -> (tensor<?x8xbf16>, tensor<8x8xbf16>)
// ARGUMENTS: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%arg{{[01]}} : {{.*}}) outs({{.*}}xf64>)
// ARGUMENTS: arith.extf %{{.*}} : bf16 to f64
// ARGUMENTS: arith.addf {{.*}} : f64
// ARGUMENTS: arith.divf %{{.*}} : f64
// ARGUMENTS: arith.subf %{{.*}} : f64
// ARGUMENTS: arith.truncf %{{.*}} : f64 to bf16
// ARGUMENTS-COUNT-2: linalg.generic
// ARGUMENTS-NOT: linalg.generic
// ARGUMENTS-LABEL: func.func private @arguments.prepared(%arg0: tensor<4xi64>, %arg1: tensor<8x8xbf16>, %arg2: tensor<?x8xbf16> {norm.prepared}, %arg3: tensor<8x8xbf16> {norm.prepared})
// ARGUMENTS: tensor.extract %arg2
// ARGUMENTS: %[[N:.*]] = norm.rms_norm
// ARGUMENTS: %[[Q:.*]] = linalg.matmul ins(%[[N]], %arg1
// ARGUMENTS: linalg.matmul ins(%[[Q]], %arg3
// ARGUMENTS: norm.rms_norm
// ARGUMENTS: linalg.matmul ins(%{{.*}}, %arg3

// Where the trunk begins with what is no writer, its mean is subtracted, in f64: of an argument of open extent, of an embedding norm, of what something else reads, which goes on reading it as it was.
// RUN: renorm-opt %t/explicit.mlir -norm-center-residual -verify-diagnostics | FileCheck %s --check-prefix=EXPLICIT
// EXPLICIT-LABEL: func.func @open(
// EXPLICIT: %[[D:.*]] = tensor.dim %arg0
// EXPLICIT: %[[SUMS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<?x2xbf16>) outs(%{{.*}} : tensor<?xf64>)
// EXPLICIT: arith.extf
// EXPLICIT: %[[C:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%arg0, %[[SUMS]]
// EXPLICIT: arith.subf %{{.*}} : f64
// EXPLICIT: arith.truncf
// EXPLICIT: %[[N:.*]] = norm.rms_norm %[[C]]
// EXPLICIT: norm.residual_add %[[C]],
// EXPLICIT-LABEL: func.func @embedding_norm(
// EXPLICIT: %[[E:.*]] = norm.layer_norm %arg0
// EXPLICIT: %[[C:.*]] = linalg.generic {{.*}} ins(%[[E]], %
// EXPLICIT: norm.rms_norm %[[C]]
// EXPLICIT-LABEL: func.func @read_elsewhere(
// EXPLICIT: norm.probe %arg0
// EXPLICIT: norm.residual_add %[[C:.*]], %
// EXPLICIT: return %{{.*}}, %arg0

// Both sublayers of a parallel group read one value; a dropped norm does not count.
// RUN: renorm-opt %t/parallel.mlir '-norm-center-residual=embedding=explicit' -verify-diagnostics | FileCheck %s --check-prefix=PARALLEL
// PARALLEL-LABEL: func.func @parallel(
// PARALLEL: norm.rms_norm %[[C:[0-9]+]] epsilon = 1.0e-05 {norm.centered} :
// PARALLEL: norm.rms_norm %[[C]] epsilon = 1.0e-06 {norm.centered} :
// PARALLEL: norm.layer_norm %{{.*}} {norm.dropped
// PARALLEL: norm.rms_norm %{{.*}} epsilon = 1.0e-05 {norm.centered} :

// A stream that forks from another one begins there: its mean is subtracted, and the other one goes on as it was.
// RUN: renorm-opt %t/fork.mlir -norm-center-residual -verify-diagnostics | FileCheck %s --check-prefix=FORK
// FORK-LABEL: func.func @fork(
// FORK: norm.layer_norm %arg0
// FORK: %[[S:.*]] = norm.residual_add %arg0,
// FORK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[S]], %
// FORK: norm.rms_norm %[[C]]
// FORK: %[[T:.*]] = norm.residual_add %[[S]],
// FORK: %[[U:.*]] = norm.residual_add %[[C]],
// FORK: norm.layer_norm %[[T]]
// FORK: norm.rms_norm %[[U]]

//--- fold.mlir
func.func @fold(%ids: tensor<4xi64>, %g: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  %table = arith.constant dense<[[1.0, 3.0], [5.0, 5.0]]> : tensor<2x2xf32>
  %position = arith.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %c = arith.constant dense<[7.0, 3.0]> : tensor<2xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
  %rows = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<4xi64>) outs(%empty : tensor<4x2xf32>) {
  ^bb0(%id: i64, %out: f32):
    %row = arith.index_cast %id : i64 to index
    %column = linalg.index 1 : index
    %element = tensor.extract %table[%row, %column] : tensor<2x2xf32>
    linalg.yield %element : f32
  } -> tensor<4x2xf32>
  %positions = linalg.broadcast ins(%position : tensor<2xf32>) outs(%empty : tensor<4x2xf32>) dimensions = [0]
  %x = linalg.add ins(%rows, %positions : tensor<4x2xf32>, tensor<4x2xf32>) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
  %n = norm.layer_norm %x scale(%g : tensor<2xf32>) bias(%b : tensor<2xf32>) epsilon = 1.0e-05 epsilon_mode = clamp compute_type = f64 unit_offset : tensor<4x2xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %bias = linalg.broadcast ins(%c : tensor<2xf32>) outs(%empty : tensor<4x2xf32>) dimensions = [0]
  %branch = linalg.add ins(%f, %bias : tensor<4x2xf32>, tensor<4x2xf32>) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %branch residual_scale = 2.0 branch_scale = 0.5 : tensor<4x2xf32>
  %y = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

//--- tied.mlir
func.func @tied(%ids: tensor<4xi64>) -> tensor<4x2xf32> {
  %table = arith.constant dense<[[1.0, 3.0], [5.0, 5.0]]> : tensor<2x2xf32>
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<4xi64>) outs(%empty : tensor<4x2xf32>) {
  ^bb0(%id: i64, %out: f32):
    %row = arith.index_cast %id : i64 to index
    %column = linalg.index 1 : index
    %element = tensor.extract %table[%row, %column] : tensor<2x2xf32>
    linalg.yield %element : f32
  } -> tensor<4x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %f : tensor<4x2xf32>
  %y = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
  %logits = linalg.matmul ins(%y, %table : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %logits : tensor<4x2xf32>
}

//--- transposed.mlir
func.func @transposed(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, -2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
  %empty_w = tensor.empty() : tensor<2x2xf32>
  %t = linalg.transpose ins(%w : tensor<2x2xf32>) outs(%empty_w : tensor<2x2xf32>) permutation = [1, 0]
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  %f = linalg.matmul ins(%n, %t : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %f : tensor<4x2xf32>
  %y = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

//--- arguments.mlir
func.func @arguments(%ids: tensor<4xi64>, %table: tensor<?x8xbf16>, %w: tensor<8x8xbf16>) -> tensor<4x8xbf16> {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<4x8xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%empty : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %x = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<4xi64>) outs(%empty : tensor<4x8xbf16>) {
  ^bb0(%id: i64, %out: bf16):
    %row = arith.index_cast %id : i64 to index
    %column = linalg.index 1 : index
    %element = tensor.extract %table[%row, %column] : tensor<?x8xbf16>
    linalg.yield %element : bf16
  } -> tensor<4x8xbf16>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x8xbf16>
  %q = linalg.matmul ins(%n, %w : tensor<4x8xbf16>, tensor<8x8xbf16>) outs(%init : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %f = linalg.matmul ins(%q, %w : tensor<4x8xbf16>, tensor<8x8xbf16>) outs(%init : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %s = norm.residual_add %x, %f : tensor<4x8xbf16>
  %m = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x8xbf16>
  %h = linalg.matmul ins(%m, %w : tensor<4x8xbf16>, tensor<8x8xbf16>) outs(%init : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %t = norm.residual_add %s, %h : tensor<4x8xbf16>
  %y = norm.layer_norm %t epsilon = 1.0e-05 : tensor<4x8xbf16>
  return %y : tensor<4x8xbf16>
}

//--- explicit.mlir
// expected-remark @below {{mean subtracted from the trunk where it begins: an argument writes the trunk at embedding: it is neither a linear map, a bias nor a table}}
func.func @open(%x: tensor<?x2xbf16>) -> tensor<?x2xbf16> {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xbf16>
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x2xbf16>
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty(%d) : tensor<?x2xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%empty : tensor<?x2xbf16>) -> tensor<?x2xbf16>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<?x2xbf16>
  %f = linalg.matmul ins(%n, %w : tensor<?x2xbf16>, tensor<2x2xbf16>) outs(%init : tensor<?x2xbf16>) -> tensor<?x2xbf16>
  %s = norm.residual_add %x, %f : tensor<?x2xbf16>
  %y = norm.layer_norm %s epsilon = 1.0e-05 : tensor<?x2xbf16>
  return %y : tensor<?x2xbf16>
}
func.func @embedding_norm(%ids: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  // expected-remark @below {{mean subtracted from the trunk where it begins: 'norm.layer_norm' writes the trunk at embedding: it is neither a linear map, a bias nor a table}}
  %x = norm.layer_norm %ids epsilon = 1.0e-05 : tensor<4x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %f : tensor<4x2xf32>
  %y = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
func.func @read_elsewhere(%x: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  norm.probe %x {name = "embedding"} : tensor<4x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %f : tensor<4x2xf32>
  %y = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
  // expected-remark @below {{mean subtracted from the trunk where it begins: a result of the function reads the trunk at embedding}}
  return %y, %x : tensor<4x2xf32>, tensor<4x2xf32>
}

//--- parallel.mlir
func.func @parallel(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  %m = norm.layer_norm %x epsilon = 1.0e-06 : tensor<4x2xf32>
  %a = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %f = linalg.matmul ins(%m, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %a : tensor<4x2xf32>
  %t = norm.residual_add %s, %f : tensor<4x2xf32>
  %dropped = norm.layer_norm %t epsilon = 1.0e-05 {norm.dropped = "layers.0.ffn.post_norm"} : tensor<4x2xf32>
  %y = norm.layer_norm %t epsilon = 1.0e-05 : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

//--- fork.mlir
func.func @fork(%x: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %w = arith.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<0.0> : tensor<4x2xf32>
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x2xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = norm.residual_add %x, %f : tensor<4x2xf32>
  %m = norm.layer_norm %s epsilon = 1.0e-05 : tensor<4x2xf32>
  %g = linalg.matmul ins(%m, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  // expected-remark @below {{mean subtracted from the trunk where it begins: 'norm.residual_add' reads the trunk at streams.1.embedding}}
  %t = norm.residual_add %s, %g : tensor<4x2xf32>
  %h = linalg.matmul ins(%m, %w : tensor<4x2xf32>, tensor<2x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  // expected-remark @below {{residual stream not centered: 'norm.residual_add' reads the trunk at layers.0.ffn}}
  %u = norm.residual_add %s, %h : tensor<4x2xf32>
  %y = norm.layer_norm %t epsilon = 1.0e-05 : tensor<4x2xf32>
  %z = norm.layer_norm %u epsilon = 1.0e-05 : tensor<4x2xf32>
  return %y, %z : tensor<4x2xf32>, tensor<4x2xf32>
}
