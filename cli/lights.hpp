// Where the light came from in pictures of one object: a table beside the file, azimuth and
// elevation per picture, or the names of the pictures, yaleB02_P00A-035E+15.pgm.
#pragma once

#include <string>
#include <vector>

#include "tamis/evaluate/shadow.hpp"

namespace tamis {

// The name of the table that belongs to a file or folder: faces.npy, faces_light.csv
std::string light_table_of(const std::string& pictures);

// All lines of the table. Throws DataError if it has not at least so many, or not two columns.
std::vector<Light> lights_of_table(const std::string& table, Index least);

// Throws DataError, naming `where`, for a name that does not tell.
std::vector<Light> lights_of_names(const std::vector<std::string>& names, const std::string& where);

}  // namespace tamis
