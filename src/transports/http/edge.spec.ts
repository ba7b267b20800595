import { describe, expect, it } from '@jest/globals';
import { decideEdge, isLoopbackAddress, type EdgeFacts } from './edge.js';

const local: EdgeFacts = {
  method: 'GET',
  host: 'localhost:4310',
  origin: undefined,
  fetchSite: undefined,
  remoteAddress: '127.0.0.1',
};
const policy = { allowedHosts: ['skills.test'], open: false };
const decide = (facts: Partial<EdgeFacts>) => decideEdge({ ...local, ...facts }, policy);

describe('decideEdge', () => {
  it.each<Partial<EdgeFacts>>([
    {},
    { host: '127.0.0.1:4310' },
    { host: '[::1]:4310', remoteAddress: '::1' },
    { host: 'skills.test' },
    { method: 'POST' },
    { method: 'POST', origin: 'http://localhost:4310', fetchSite: 'same-origin' },
    { origin: 'https://elsewhere.test' },
  ])('lets %j pass', (facts) => {
    expect(decide(facts)).toEqual({ kind: 'allowed' });
  });

  it.each<[Partial<EdgeFacts>, string]>([
    [{ remoteAddress: '10.1.2.3' }, 'forbidden'],
    [{ host: 'rebound.test' }, 'host_refused'],
    [{ host: 'localhost.rebound.test' }, 'host_refused'],
    [{ host: undefined }, 'host_refused'],
    [{ method: 'POST', origin: 'https://elsewhere.test' }, 'origin_refused'],
    [{ method: 'PUT', origin: 'null' }, 'origin_refused'],
    [{ method: 'PATCH', origin: 'http://localhost:4310.elsewhere.test' }, 'origin_refused'],
    [{ method: 'DELETE', fetchSite: 'cross-site' }, 'origin_refused'],
    [{ method: 'DELETE', fetchSite: 'same-site' }, 'origin_refused'],
  ])('refuses %j', (facts, code) => {
    expect(decide(facts)).toMatchObject({ kind: 'refused', code });
  });

  it('still refuses writes from other sites when it was opened on purpose', () => {
    const open = { allowedHosts: [], open: true };
    expect(decideEdge({ ...local, remoteAddress: '10.1.2.3', host: 'any.test' }, open)).toEqual({
      kind: 'allowed',
    });
    expect(decideEdge({ ...local, method: 'POST', origin: 'https://elsewhere.test' }, open)).toMatchObject({
      code: 'origin_refused',
    });
  });

  it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', 'localhost'])(
    'knows %s as loopback',
    (address) => {
      expect(isLoopbackAddress(address)).toBe(true);
    },
  );

  it.each(['0.0.0.0', '128.0.0.1', '::', '127.0.0.1.example', undefined])(
    'knows %s as not loopback',
    (address) => {
      expect(isLoopbackAddress(address)).toBe(false);
    },
  );
});
