// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.monitor;

import com.mongodb.ServerApi;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How servers are checked.
 *
 * @param heartbeat the time between two checks when nothing happens, and how long a streamed hello
 *     may wait on the server
 * @param heartbeatMin the least time between two checks
 * @param replyTimeout for an answer to hello, on top of {@code heartbeat} when it is streamed;
 *     zero: without limit
 * @param streaming whether to let servers tell of their changes by themselves, where they can
 * @param serverApi declared on every command; null: none
 */
public record MonitorOptions(
    Duration heartbeat,
    Duration heartbeatMin,
    Duration replyTimeout,
    boolean streaming,
    @Nullable ServerApi serverApi) {}
