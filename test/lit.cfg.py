"""lit configuration: every file under test/ with a RUN line is one test."""

import os

import lit.formats

config.name = "Renorm"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Models", "Inputs"]
if config.enable_python:
    config.available_features.add("python")
# The CUDA toolkit's functions and assembler: see `renorm.kernels.find_toolkit`.
toolkits = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT")] + ["/usr/local/cuda"]
if any(each and os.path.exists(f"{each}/nvvm/libdevice/libdevice.10.bc") for each in toolkits):
    config.available_features.add("cuda-toolkit")
# A stock program can't load what is built with the sanitizers.
if not config.sanitizers:
    config.available_features.add("plugin")
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.renorm_obj_root, "test")

path = [os.path.join(config.renorm_obj_root, "bin"), config.llvm_tools_dir]
config.environment["PATH"] = os.pathsep.join(path + [os.environ["PATH"]])
config.environment["FILECHECK_OPTS"] = "-enable-var-scope"
config.environment["PYTHONPATH"] = os.pathsep.join(
    [
        os.path.join(config.renorm_obj_root, "python_packages"),
        os.path.join(config.renorm_src_root, "test", "Integration"),
    ]
)
# Debian's MLIR leaks on purpose at exit (command line options, registries), and, built without the sanitizers, does not
# lift the poison that our copies of LLVM's inline allocators put on memory that both allocate from.
config.environment["ASAN_OPTIONS"] = "detect_leaks=0:allow_user_poisoning=0"

config.substitutions += [
    ("%python", config.python_executable),
    ("%renorm_src", config.renorm_src_root),
    ("%renorm_obj", config.renorm_obj_root),
    ("%models", os.path.join(config.renorm_src_root, "test", "Models")),
    ("%plugin", os.path.join(config.renorm_obj_root, "lib", "RenormPlugin.so")),
    ("%mlir_lib_dir", os.path.join(os.path.dirname(config.llvm_tools_dir), "lib")),
]
