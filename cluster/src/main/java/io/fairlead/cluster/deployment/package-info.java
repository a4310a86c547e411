// SPDX-License-Identifier: Apache-2.0
/**
 * The topology's shell: {@link io.fairlead.cluster.deployment.Deployment} is the only writer of the
 * description. It takes what was heard, publishes the next description, performs the actions, and
 * wakes those who wait for a server.
 */
@NullMarked
package io.fairlead.cluster.deployment;

import org.jspecify.annotations.NullMarked;
