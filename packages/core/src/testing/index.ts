export { given, PerspectiveTest, type GivenEvent } from './perspective-test.js';
