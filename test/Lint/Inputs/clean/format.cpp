// Laid out as .clang-format asks.
int wellLaidOut(int count);
