"""The parts of tools/gpu-check.

    prepare     makes what the machine with the GPU needs
    chains      what is measured: its program, its formula, and the same in PyTorch
    launch      launches the kernels of a function by the driver
    devices     memory, streams and clocks: the only use of PyTorch
    checks      the tests of the kernels on the GPU
    benchmark   what is measured, in which order, within a budget
    table       the table
"""
