// One function per command: it adds the command's options and what to do when it is called.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

namespace tamis {

class MpiWorld;

// world: those to learn with, if there are others when the command is called
void add_fit(CLI::App& app, const std::unique_ptr<MpiWorld>& world);
void add_encode(CLI::App& app);
void add_denoise(CLI::App& app);
void add_relight(CLI::App& app);
void add_separate(CLI::App& app);
void add_info(CLI::App& app);
void add_inspect(CLI::App& app);
void add_generate(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_demo(CLI::App& app);
void add_experiment(CLI::App& app);
void add_completion(CLI::App& app);
void add_man(CLI::App& app);

}  // namespace tamis
