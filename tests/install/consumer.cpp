// A user of the installed library.
#include <iostream>
#include <tamis/tamis.hpp>

int main() { std::cout << "tamis " << tamis::version << '\n'; }
