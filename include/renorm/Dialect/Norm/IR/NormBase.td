//===- NormBase.td - What all operations are made of -------*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_IR_NORMBASE_TD
#define RENORM_DIALECT_NORM_IR_NORMBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "renorm/Dialect/Norm/IR/NormDialect.td"
include "renorm/Dialect/Norm/IR/NormEnums.td"

def Norm_Float : AnyTypeOf<[F64, F32, F16, BF16]>;
def Norm_Tensor : RankedTensorOf<[Norm_Float]>;

class Norm_Op<string mnemonic, list<Trait> traits = []>
    : Op<Norm_Dialect, mnemonic, traits>;

#endif // RENORM_DIALECT_NORM_IR_NORMBASE_TD
