; RUN: opt -S %s | FileCheck %s
; CHECK-SAME no colon after a semicolon
