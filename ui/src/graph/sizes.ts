// SPDX-License-Identifier: Apache-2.0

/** A node that is one task. */
export const SMALL = { width: 184, height: 44 } as const;
/** A node that is a fold, with room for a bar of states. */
export const LARGE = { width: 240, height: 66 } as const;
