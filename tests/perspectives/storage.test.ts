import { InMemoryPerspectives } from '@svc/core';
import { perspectiveStorageContract } from './storage-contract.js';

perspectiveStorageContract('memory', () => new InMemoryPerspectives());
