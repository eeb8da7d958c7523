// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { depthsOf, fold } from './fold';
import type { Folded, GraphLink, GraphTask } from './fold';

/** Builds graphs task by task. */
class Builder {
  readonly tasks: GraphTask[] = [];
  readonly links: GraphLink[] = [];

  add(kind: string, parents: readonly number[] = [], requiresSuccess = true): number {
    const child = this.tasks.push({ id: `t${this.tasks.length}`, kind }) - 1;
    for (const parent of parents) this.links.push({ parent, child, requiresSuccess });
    return child;
  }

  fold(expanded?: ReadonlySet<string>): Folded {
    return fold(this.tasks, this.links, expanded);
  }
}

function fan(width: number): Builder {
  const graph = new Builder();
  const source = graph.add('list');
  const middle = Array.from({ length: width }, () => graph.add('transform', [source]));
  graph.add('report', middle);
  return graph;
}

function pipelines(count: number, steps: number): Builder {
  const graph = new Builder();
  const source = graph.add('source');
  const ends = Array.from({ length: count }, () => {
    let last = source;
    for (let step = 0; step < steps; step++) last = graph.add(`step-${step}`, [last]);
    return last;
  });
  graph.add('sink', ends);
  return graph;
}

function splits(count: number, width: number): Builder {
  const graph = new Builder();
  let join = graph.add('join');
  for (let i = 0; i < count; i++) {
    join = graph.add('join', Array.from({ length: width }, () => graph.add('part', [join])));
  }
  return graph;
}

function chain(length: number): Builder {
  const graph = new Builder();
  for (let i = 0; i < length; i++) graph.add('step', i === 0 ? [] : [i - 1]);
  return graph;
}

/** The same numbers each time. */
function random(size: number, parentsEach: number): Builder {
  const graph = new Builder();
  let seed = 42;
  const draw = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (let i = 0; i < size; i++) {
    const parents = i === 0 ? [] : Array.from({ length: parentsEach }, () => draw(i));
    graph.add(`kind-${draw(5)}`, [...new Set(parents)]);
  }
  return graph;
}

function expectAcyclic(folded: Folded): void {
  expect(() => depthsOf(folded.nodes.length, folded.links)).not.toThrow();
  for (const link of folded.links) {
    expect(folded.nodes[link.parent]?.depth).toBeLessThan(folded.nodes[link.child]?.depth ?? -1);
  }
}

describe('the measured shapes', () => {
  it.each([
    ['a fan of 2,000', fan(1_998), 3],
    ['400 pipelines of 5 steps', pipelines(400, 5), 7],
    ['ten splits of 200', splits(10, 200), 21],
    ['a chain of 2,000 of one kind', chain(2_000), 2_000],
  ])('%s', (_, graph, nodes) => {
    const folded = graph.fold();
    expect(folded.nodes).toHaveLength(nodes);
    expect(folded.nodes.reduce((sum, node) => sum + node.members.length, 0)).toBe(graph.tasks.length);
    expect(folded.links.reduce((sum, link) => sum + link.count, 0)).toBe(graph.links.length);
    expectAcyclic(folded);
  });

  it('a random graph keeps its tasks and has no cycle', () => {
    const folded = random(2_000, 3).fold();
    expect(folded.nodes.length).toBeGreaterThan(1_900);
    expectAcyclic(folded);
  });
});

describe('what is alike', () => {
  it('has the same kind', () => {
    const graph = new Builder();
    graph.add('a');
    graph.add('b');
    expect(graph.fold().nodes).toHaveLength(2);
  });

  it('has children that are alike', () => {
    const graph = new Builder();
    const first = graph.add('a');
    graph.add('a');
    graph.add('b', [first]);
    expect(graph.fold().nodes).toHaveLength(3);
  });

  it('has links of the same sort', () => {
    const graph = new Builder();
    const source = graph.add('a');
    graph.add('b', [source], true);
    graph.add('b', [source], false);
    expect(graph.fold().nodes).toHaveLength(3);
  });

  it('has the same depth, which keeps the folded graph free of cycles', () => {
    const graph = new Builder();
    graph.add('a', [graph.add('b', [graph.add('a')])]);
    const folded = graph.fold();
    expect(folded.nodes).toHaveLength(3);
    expectAcyclic(folded);
  });

  it('is looked for in at most 12 rounds', () => {
    // Two chains that differ in their last task only: the difference travels one task a round.
    const graph = new Builder();
    for (const end of ['x', 'y']) {
      let last = graph.add('step');
      for (let i = 0; i < 19; i++) last = graph.add('step', [last]);
      graph.add(end, [last]);
    }
    const folded = graph.fold();
    expect(folded.nodes).toHaveLength(20 - 12 + 2 * 12 + 2);
    expectAcyclic(folded);
  });
});

it('leaves an expanded node unfolded', () => {
  const graph = fan(5);
  expect(graph.fold(new Set(['t1'])).nodes.map((node) => node.members.length)).toEqual([1, 1, 1, 1, 1, 1, 1]);
});

it('refuses cycles and links to nowhere', () => {
  const tasks = [{ id: 'a', kind: 'k' }, { id: 'b', kind: 'k' }];
  const link = (parent: number, child: number) => ({ parent, child, requiresSuccess: true });
  expect(() => fold(tasks, [link(0, 1), link(1, 0)])).toThrow('The links form a cycle.');
  expect(() => fold(tasks, [link(0, 2)])).toThrow(RangeError);
});
