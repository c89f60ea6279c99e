# RUN: %python %s | FileCheck %s
# CHECK-DAG no colon after a number sign
print(
