/** Injection token of the host application's own DataSource; without a provider the options decide. */
export const HOST_DATA_SOURCE = Symbol.for('skillwright.host-data-source');
