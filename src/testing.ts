/** What a host application's tests need: a module from a folder, without a database. */
export {};
