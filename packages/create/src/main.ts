import { newService } from './new-service.js';

process.exitCode = await newService(process.argv.slice(2), { out: console.log, error: console.error });
