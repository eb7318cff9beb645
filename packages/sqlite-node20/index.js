exports.DatabaseSync = require('@photostructure/sqlite').DatabaseSync;
