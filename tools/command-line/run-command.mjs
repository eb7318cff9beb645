/**
 * Runs a command of the repository with the arguments of this process: `main(args)` returns whether it succeeded, which decides the exit code.
 * `--help` prints the usage. An error has a text for the user.
 */
export async function runCommand(usage, main) {
  const args = process.argv.slice(2);
  try {
    if (args.includes('--help')) console.log(usage);
    else process.exitCode = (await main(args)) ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
