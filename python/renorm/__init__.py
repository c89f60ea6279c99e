"""Renorm: see and move where a Transformer normalizes, and run the result.

    import renorm

    module = renorm.Module.from_file("bert.mlir")
    module.run_pipeline("norm-raise")
    function = module.compile()
    result = function(*renorm.make_inputs(function.inputs))
"""

import importlib

# Loaded when first used: `renorm.export` runs beside the MLIR of torch-mlir, and without ours.
_HOMES = {
    "DeviceError": "_renorm",
    "DeviceTensor": "function",
    "Diagnostic": "_renorm",
    "Function": "function",
    "GrowthPoint": "growth",
    "Input": "function",
    "MLIRError": "_renorm",
    "MeasuredPoint": "growth",
    "MeasuredStream": "growth",
    "Module": "module",
    "Probe": "function",
    "TensorType": "function",
    "compare_growth": "growth",
    "make_inputs": "inputs",
    "predict_growth": "growth",
    "random_parameter": "parameters",
    "to_device": "function",
}

__all__ = list(_HOMES)


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module("." + _HOMES[name], __name__), name)
