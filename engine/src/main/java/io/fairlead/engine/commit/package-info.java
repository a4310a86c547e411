// SPDX-License-Identifier: Apache-2.0
/**
 * What a commit did, in order ({@link io.fairlead.engine.commit.Change}), and who takes part in it
 * ({@link io.fairlead.engine.commit.CommitParticipant}).
 */
@NullMarked
package io.fairlead.engine.commit;

import org.jspecify.annotations.NullMarked;
