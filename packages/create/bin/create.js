#!/usr/bin/env node
// oxlint-disable-next-line import/no-unassigned-import -- the command itself
import '../dist/main.js';
