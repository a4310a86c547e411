// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.fairlead.cli.demo.DemoCommand;
import io.fairlead.cli.look.SelectCommand;
import io.fairlead.cli.look.TopologyCommand;
import io.fairlead.cli.up.UpCommand;
import java.io.PrintWriter;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The front door: parses the arguments and runs one command. Exit status 0: done, and whatever was
 * to be shown held; 1: it did not, or failed; 2: the arguments are wrong.
 */
@Command(
    name = "fairlead",
    description =
        "Every MongoDB operation goes to the server its caller asked for, a retry to another, reads"
            + " go near.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {
      DemoCommand.class,
      UpCommand.class,
      TopologyCommand.class,
      SelectCommand.class,
      CommandLine.HelpCommand.class
    })
public final class Main implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-v", "--verbose"},
      description = "Log what happens inside to standard error.",
      scope = ScopeType.INHERIT)
  void setVerbose(boolean verbose) {
    if (verbose && LoggerFactory.getLogger("io.fairlead") instanceof Logger logger) {
      logger.setLevel(Level.DEBUG);
    }
  }

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** The command line, ready to run or to be asked for its help. */
  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(Main::tellFailure);
  }

  /** One sentence for the user; the whole story when asked for with --verbose. */
  private static int tellFailure(
      Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
    PrintWriter err = command.getErr();
    err.println("fairlead: " + (failure.getMessage() == null ? failure : failure.getMessage()));
    if (LoggerFactory.getLogger("io.fairlead").isDebugEnabled()) {
      failure.printStackTrace(err);
    }
    return CommandLine.ExitCode.SOFTWARE;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a command");
  }
}
