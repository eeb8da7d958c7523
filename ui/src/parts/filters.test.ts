// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { chipsOf, fromParams, fromText, isEmpty, NO_FILTERS, toParams, toText } from './filters';
import type { Filters } from './filters';

const FULL: Filters = {
  status: ['Failure', 'RetryPending'],
  fields: { kind: '=charge-card', name: 'order 912', created_after: '2026-11-16T02:00:00Z' },
  metadata: { customer: 42, tenant: 'acme', vip: true, zip: '01234', code: '7' },
  q: 'upstream 503',
};

describe('URL parameters', () => {
  it('hold every filter under the name that the API uses', () => {
    expect(toParams(FULL)).toEqual({
      status: 'Failure,RetryPending',
      kind: '=charge-card',
      name: 'order 912',
      created_after: '2026-11-16T02:00:00Z',
      metadata: '{"customer":42,"tenant":"acme","vip":true,"zip":"01234","code":"7"}',
      q: 'upstream 503',
    });
  });

  it('give the same filters back', () => {
    expect(fromParams(toParams(FULL))).toEqual(FULL);
    expect(fromParams(Object.fromEntries(new URLSearchParams(Object.entries(toParams(FULL)))))).toEqual(FULL);
    expect(fromParams({})).toEqual(NO_FILTERS);
    expect(toParams(NO_FILTERS)).toEqual({});
  });

  it('accept states in any case, each once', () => {
    expect(fromParams({ status: 'retry_pending, failure,Failure' }).status).toEqual(['RetryPending', 'Failure']);
  });

  it('leave out what cannot be understood', () => {
    expect(fromParams({ status: 'Fail,Broken', metadata: '{"a":', kind: ['x'], q: '  ', page: 3 })).toEqual(NO_FILTERS);
    expect(fromParams({ metadata: '{"a":{"b":1},"c":2,"d":null}' }).metadata).toEqual({ c: 2 });
    expect(fromParams({ metadata: '[1]' }).metadata).toEqual({});
  });
});

describe('the search box', () => {
  it('reads kind:charge status:fail 503', () => {
    expect(fromText('kind:charge status:fail 503')).toEqual({
      status: ['Failure'], fields: { kind: 'charge' }, metadata: {}, q: '503',
    });
  });

  it('takes the beginning of a state, and all states that fit', () => {
    expect(fromText('state:retry').status).toEqual(['RetryPending']);
    expect(fromText('status:pa').status).toEqual(['Paused', 'Parked']);
    expect(fromText('status:run,succ').status).toEqual(['Running', 'Success']);
  });

  it('searches for words that name no field', () => {
    expect(fromText('upstream http://pay.example status:broken')).toMatchObject({
      status: [], q: 'upstream http://pay.example status:broken',
    });
  });

  it('keeps quoted values together', () => {
    expect(fromText('name:"order 912" "connection reset"')).toMatchObject({
      fields: { name: 'order 912' }, q: 'connection reset',
    });
    expect(fromText('name:"a \\"b\\" c"').fields).toEqual({ name: 'a "b" c' });
  });

  it('reads metadata with its type', () => {
    expect(fromText('meta.customer:42 meta.vip:true meta.zip:01234 meta.code:"7"').metadata)
      .toEqual({ customer: 42, vip: true, zip: '01234', code: '7' });
  });

  it('knows other names for fields', () => {
    expect(fromText('failure:timeout reason:exhausted batch:b1 after:2026-11-16').fields).toEqual({
      failure_kind: 'timeout', give_up_reason: 'exhausted', batch_id: 'b1', created_after: '2026-11-16',
    });
  });

  it('writes text that it reads as the same filters', () => {
    expect(fromText(toText(FULL))).toEqual(FULL);
    expect(toText(NO_FILTERS)).toBe('');
    const hostile: Filters = { ...NO_FILTERS, fields: { name: '"\\ <img onerror> \\' } };
    expect(fromText(toText(hostile))).toEqual(hostile);
    const lookalike: Filters = { ...NO_FILTERS, q: 'kind:"x" y' };
    expect(fromText(toText(lookalike))).toEqual(lookalike);
  });
});

describe('chips', () => {
  it('show each filter in words', () => {
    expect(chipsOf(FULL).map((chip) => `${chip.label}: ${chip.value}`)).toEqual([
      'state: Failure', 'state: Retry pending', 'kind: =charge-card', 'name: order 912',
      'created after: 2026-11-16T02:00:00Z', 'customer: 42', 'tenant: acme', 'vip: true', 'zip: 01234', 'code: 7',
      'text: upstream 503',
    ]);
  });

  it('can be removed one by one until none is left', () => {
    let filters = FULL;
    for (let left = chipsOf(FULL).length; left > 0; left--) {
      const [chip] = chipsOf(filters);
      filters = chip?.without ?? filters;
      expect(chipsOf(filters)).toHaveLength(left - 1);
    }
    expect(isEmpty(filters)).toBe(true);
    expect(toParams(filters)).toEqual({});
  });
});
