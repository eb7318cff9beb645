import { perspectiveStorageContract } from './storage-contract.js';
import { describeStores } from './storages.js';

describeStores((stores) => perspectiveStorageContract(async () => (await stores.fresh())().perspectives));
