// SPDX-License-Identifier: Apache-2.0
/**
 * Suites, deployments, verdicts and the report. Start at {@link
 * io.fairlead.conformance.unified.run.SpecificationSuites}.
 */
@NullMarked
package io.fairlead.conformance.unified.run;

import org.jspecify.annotations.NullMarked;
