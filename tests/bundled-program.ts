export { bundledProgram } from '../tools/build/bundled-program.mjs';
