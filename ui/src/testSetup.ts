// SPDX-License-Identifier: Apache-2.0
// Tests wait for what they expect, however slow the machine is.
import { configure } from '@testing-library/dom';

configure({ asyncUtilTimeout: 20_000 });
