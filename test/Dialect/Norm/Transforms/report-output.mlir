// Text and JSON go to the standard error, or to the file that `output` names.
// RUN: renorm-opt %s -norm-report -o /dev/null 2>&1 | FileCheck %s
// RUN: renorm-opt %s -norm-report=output=- -o /dev/null 2>&1 | FileCheck %s
// RUN: renorm-opt %s -norm-report=output= -o /dev/null 2>&1 | FileCheck %s
// RUN: renorm-opt %s -norm-report="format=text output=%t.txt" -o /dev/null 2>&1 | count 0
// RUN: FileCheck %s --input-file=%t.txt
// CHECK: function @f

// The report of the last run is there, whatever was in the file.
// RUN: renorm-opt %s -norm-report="format=json output=%t.txt" -o /dev/null
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=JSON --implicit-check-not="function @"
// JSON: "name": "f"

// RUN: not renorm-opt %s -norm-report=output=%t.missing/report.txt -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: cannot write the report: cannot open output file '{{.*}}.missing/report.txt': No such file or directory

// RUN: not renorm-opt %s -norm-report=output=/dev/full -o /dev/null 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: error: cannot write the report: cannot write to '/dev/full': No space left on device

// RUN: not renorm-opt %s -norm-report=format=xml 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: Cannot find option named 'xml'

func.func @f() {
  return
}
