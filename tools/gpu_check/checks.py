"""Runs the tests of kernels, test/Integration/gpu/*_test.py, on a device: their groups, inputs, formulas and bounds."""

import hashlib
import importlib
import pathlib
import sys
import time


from .launch import Function

MODULES = ("matmul_kernels_test", "row_kernels_test")


class OutOfTime(Exception):
    pass


def find_tests(folder):
    """The tests in the modules in `folder`, each as its name, the module and the function."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    found = []
    for module_name in MODULES:
        module = importlib.import_module(module_name)
        tests = [(name, test) for name, test in vars(module).items() if name.startswith("test_")]
        found += [(f"{module_name}.{name}", module, test) for name, test in tests]
    return found


def is_chosen(name, only):
    """Whether `only`, names of tests with or without their module, of modules or of programs, has the test or program;
    an empty one has all."""
    return not only or name in only or bool(set(name.split(".")) & set(only))


def name_of(text, options):
    """The name that the program of a group has in the folder."""
    return "group-" + hashlib.sha256(f"{text}\n{options}".encode()).hexdigest()[:16]


class Groups:
    """Takes the place of the tests' function `emulate`: runs groups on `device` by the kernels in `folder`."""

    def __init__(self, device, folder, use_cubin=True, deadline=float("inf")):
        self.device, self.folder = device, pathlib.Path(folder)
        self.use_cubin, self.deadline = use_cubin, deadline
        self.calls, self.images = 0, set()
        # The test that runs.
        self.test = None
        self._functions = {}

    def find(self, group, rows, dynamic, options):
        """The function of a group, of which the folder has the kernels."""
        name = name_of(group.text(rows, dynamic), options)
        if name not in self._functions:
            if not (self.folder / name).is_dir():
                raise LookupError(f"expected kernels in {self.folder / name}: prepare the folder again")
            self._functions[name] = Function(self.device.driver, self.folder / name, self.use_cubin)
        return self._functions[name]

    def __call__(self, group, rows, arrays, dynamic=False, seeds=1, options="", kernels=1):
        """The results of the group's kernels, of which there are `kernels`, for `arrays`, as float64. `seeds` is ignored: the
        hardware orders threads by itself."""
        if time.monotonic() > self.deadline:
            raise OutOfTime
        function = self.find(group, rows, dynamic, options)
        if len(function.manifest["launches"]) != kernels:
            raise ValueError(f"expected {kernels} kernels, but got {len(function.manifest['launches'])}")
        inputs = [self.device.upload(arrays[name], element) for name, (_, element) in group.inputs.items()]
        call = function.bind(self.device, inputs)
        if len(call.results) != len(group.results):
            raise ValueError(f"expected {len(group.results)} results, but got {len(call.results)}")
        call()
        self.device.synchronize()
        self.calls += 1
        self.images |= function.images
        results = {}
        for (name, (shape, element)), array in zip(group.results.items(), call.results):
            if array.element != element:
                raise ValueError(f"expected {element} as {name}, but got {array.element}")
            results[name] = self.device.download(array).reshape([rows if size == "M" else size for size in shape])
        return results


def run_tests(tests, run):
    """Runs each of `tests`, which `find_tests` found, with `run`, a Groups, as its emulator. Yields its name and None, or why it
    failed; an `OutOfTime` goes to the caller, as does a fault of the GPU, after which nothing can run on it."""
    for name, module, test in tests:
        emulate, module.emulate, run.test = module.emulate, run, name
        try:
            test()
            yield name, None
        except AssertionError as error:
            yield name, str(error) or "an assertion failed"
        except (LookupError, ValueError) as error:
            yield name, str(error)
        finally:
            module.emulate = emulate
