// SPDX-License-Identifier: MIT
// The page in a real browser: every game is played, values are those of the program, a hint is followed to the end, a
// build is started, stopped and resumed, a refresh keeps the state, and no console shows an error.
//
// HOLOS names the program, WEB the folder of the page (with node_modules), CHROMIUM the browser. SHOTS, if it is set, is a
// folder for the screenshots of the manual.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const HOLOS = process.env.HOLOS ?? 'build/holos';
const WEB = process.env.WEB ?? 'web';
const CHROMIUM = process.env.CHROMIUM || ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const SHOTS = process.env.SHOTS;
const EASY = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
const HARD = '....1..69.4......583...9.4....1....338..249....2.9..5.7..65....95...7.....3......';

function skip(why) {
  console.log(`1..1\nok 1 - the page in a browser # SKIP ${why}`);
  process.exit(0);
}
if (!CHROMIUM) skip('no Chromium (Debian: chromium)');
if (!existsSync(join(WEB, 'node_modules', 'playwright-core'))) skip('the page was not built with npm');
const { chromium } = createRequire(resolve(WEB, 'package.json'))('playwright-core');

const folder = mkdtempSync(join(tmpdir(), 'holos-page-'));
const server = spawn(HOLOS, ['serve', '--port', '0', '--json', '--folder', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
const said = JSON.parse(await new Promise((done) => server.stdout.once('data', (d) => done(String(d)))));
if (!said.page) {
  server.kill('SIGINT');
  skip('this build has no page');
}
const base = `http://127.0.0.1:${said.port}/`;
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });

let problems = [];
async function open(hash, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce', colorScheme: 'light', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(Number(process.env.PATIENCE ?? 60000));
  page.on('console', (m) => m.type() === 'error' && problems.push(m.text()));
  page.on('pageerror', (e) => problems.push(e.message));
  page.on('request', (r) => !r.url().startsWith(base) && problems.push(`a request to ${r.url()}`));
  await page.goto(said.url);
  await page.goto(base + hash);
  return page;
}
async function shot(page, name) {
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}
function check(condition, ...shown) {
  if (!condition) throw new Error(shown.map((s) => (typeof s === 'string' ? s : JSON.stringify(s))).join('\n'));
}
function equal(found, expected, ...shown) {
  check(JSON.stringify(found) === JSON.stringify(expected), 'found', found, 'expected', expected, ...shown);
}
function solve(game, position, ...more) {
  const out = execFileSync(HOLOS, ['solve', game, '--json', '--moves', ...more, '--', position], { encoding: 'utf8' });
  return JSON.parse(out);
}
/** The values that the list of moves shows, as numbers. */
async function shown(page) {
  await page.locator('.verdict', { hasText: 'proved' }).waitFor();
  const found = {};
  for (const text of await page.locator('ul.moves .move').allInnerTexts()) {
    const [, move, value] = /^(\S+)\s+\S\s+(\S+)$/.exec(text.trim().replace(/\s+/g, ' '));
    found[move] = Number(value.replace('−', '-').replace('+', ''));
  }
  return found;
}
function expected(answer) {
  return Object.fromEntries(answer.moves.map((m) => [m.move, m.lo]));
}
function sorted(object) {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const tests = {
  async 'the first page shows every game with a board'() {
    const page = await open('#/');
    await page.locator('.card .thumb svg').nth(5).waitFor();
    equal(await page.locator('.card').count(), 6);
    await shot(page, 'home');
    await page.context().close();
  },

  async 'connect four: values are the program’s, by mouse and by keyboard'() {
    const page = await open('#/connect4');
    await page.locator('[data-move="4"]').click();
    await page.locator('[data-move="4"]').focus();
    await page.keyboard.press('Enter');
    await page.locator('.history li').nth(1).waitFor();
    equal(sorted(await shown(page)), sorted(expected(solve('connect4', '44'))));
    check(new URL(page.url()).hash.includes('moves=4%2C4'), page.url());
    check((await page.locator('[data-move="4"]').getAttribute('aria-label')).includes('column 4: win, plus 1'), 'label');
    await page.context().close();
  },

  async 'connect four: arrows, Home and End go through the game; a refresh keeps it'() {
    const page = await open('#/connect4?moves=4,4,4,4,1,2');
    await page.locator('.history [aria-current]').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() => location.hash.includes('ply=5'));
    await page.keyboard.press('Home');
    await page.waitForFunction(() => location.hash.includes('ply=0'));
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => location.hash.includes('ply=1'));
    await page.reload();
    await page.locator('.history [aria-current]').waitFor();
    equal(await page.locator('.history [aria-current]').innerText(), '4');
    equal(await page.locator('.history li').count(), 6);
    await page.keyboard.press('End');
    await page.waitForFunction(() => !location.hash.includes('ply='));
    await page.context().close();
  },

  async 'connect four: the review says where it went wrong, and the graph goes there'() {
    const page = await open('#/connect4?moves=4,4,4,4,1,2');
    const mistake = page.locator('.mistakes li', { hasText: 'Yellow’s 1' });
    await mistake.waitFor();
    check((await mistake.innerText()).includes('turned a win into a loss'), await mistake.innerText());
    await shot(page, 'connect4');
    await page.locator('.graph [data-ply="4"]').click();
    await page.waitForFunction(() => location.hash.includes('ply=4'));
    await page.context().close();
  },

  async 'connect four: a position is set up, and refused with the reason'() {
    const page = await open('#/connect4');
    await page.getByRole('button', { name: 'Set up…' }).click();
    await page.getByRole('button', { name: 'column 1, row 2: empty' }).click();
    await page.getByText('hangs in the air').waitFor();
    await page.getByLabel('Position, in any notation').fill('4453');
    await page.getByText('This position is legal').waitFor();
    await page.getByRole('button', { name: 'Use it' }).click();
    equal(sorted(await shown(page)), sorted(expected(solve('connect4', '4453'))));
    await page.context().close();
  },

  async 'connect four: an engine answers, and two play to the end'() {
    const page = await open('#/connect4:4x4');
    await page.locator('.players select').nth(1).selectOption('perfect');
    await page.locator('[data-move="2"]').click();
    await page.locator('.history li').nth(1).waitFor();
    await page.locator('.players select').nth(0).selectOption('beginner');
    await page.locator('.turn', { hasText: 'The game is over' }).waitFor();
    await page.context().close();
  },

  async 'kalah: values are the program’s; an extra turn keeps the side'() {
    const page = await open('#/kalah:4,3');
    equal(sorted(await shown(page)), sorted(expected(solve('kalah:4,3', 'start'))));
    await page.locator('[data-move="2"]').click();
    await page.locator('.turn', { hasText: 'First to move' }).waitFor();
    await page.locator('.history li').first().waitFor();
    await shown(page);
    await shot(page, 'kalah');
    await page.context().close();
  },

  async 'reversi: disc differences on the squares'() {
    const position = '--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X';
    const page = await open(`#/reversi?position=${encodeURIComponent(position)}`, { colorScheme: 'dark' });
    equal(sorted(await shown(page)), sorted(expected(solve('reversi', position))));
    equal(await page.locator('.mark').count(), Object.keys(expected(solve('reversi', position))).length);
    await shot(page, 'reversi-dark');
    await page.locator('[data-move="g8"]').click();
    await page.locator('.history li').first().waitFor();
    await page.context().close();
  },

  async 'zeno shows what it reads of its own tree'() {
    const page = await open('#/reversi');
    await page.locator('.players select').nth(1).selectOption('zeno');
    await page.locator('[data-move="d3"]').click();
    const panel = page.locator('.sensors');
    await panel.waitFor();
    await page.locator('.history li').nth(1).waitFor();
    const simulations = Number(/(\d+) of \d+ simulations/.exec(await panel.innerText())?.[1]);
    check(simulations >= 100, await panel.innerText());
    const readings = await panel.locator('.reading').allInnerTexts();
    equal(readings.length, 4);
    check(readings.every((r) => Number(r) >= 0 && Number(r) <= 1), readings);
    await shot(page, 'zeno');
    await page.context().close();
  },

  async 'chess: a table is built from the explorer, stopped or not, and then it knows distances'() {
    const position = '8/8/3k4/8/8/2Q5/8/K7 w - - 0 1';
    const page = await open(`#/chess?position=${encodeURIComponent(position)}`);
    await page.getByRole('button', { name: 'Build it' }).click();
    await page.locator('.job.done', { hasText: 'KQvK' }).waitFor();
    await page.goto(`${base}#/chess?position=${encodeURIComponent(position)}`);
    await page.locator('.explorer .move', { hasText: 'DTM' }).first().waitFor();
    const answer = solve('chess', position, '--tables', join(folder, 'chess-tables'));
    const best = await page.locator('.explorer .move.best b').allInnerTexts();
    equal(best.sort(), [...answer.best].sort());
    check((await page.locator('.verdict').innerText()).includes(`win in ${answer.distance} plies`), answer.distance);
    await page.locator('[data-square="c3"]').click();
    await page.locator('.mark').first().waitFor();
    await shot(page, 'chess');
    const target = answer.best[0].replace(/[+#]/, '').slice(-2);
    if (answer.best[0].startsWith('Q')) await page.locator(`[data-square="${target}"]`).click();
    else await page.locator('.explorer .move.best').first().click();
    await page.locator('.history li').first().waitFor();
    await page.goto(`${base}#/chess?position=${encodeURIComponent(position)}`);
    await page.getByRole('button', { name: 'Show the longest win' }).click();
    await page.locator('.verdict', { hasText: 'win in 19 plies' }).waitFor();
    await page.locator('.line', { hasText: '#' }).waitFor();
    await page.context().close();
  },

  async 'sudoku: entries, a refusal, a check, undo'() {
    const page = await open(`#/sudoku?position=${EASY}`);
    await page.locator('[data-cell="2"]').click();
    await page.keyboard.press('5');
    await page.locator('.problem', { hasText: '5' }).waitFor();
    await page.keyboard.press('2');
    await page.waitForFunction(() => location.hash.includes('r1c3'));
    await page.getByRole('button', { name: 'Check' }).click();
    await page.locator('.problem', { hasText: 'r1c3=2' }).waitFor();
    await page.keyboard.press('u');
    await page.waitForFunction(() => !location.hash.includes('r1c3'));
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('All entries are right so far').waitFor();
    await page.context().close();
  },

  async 'sudoku: a hint in three stages, then hints to the end'() {
    const page = await open(`#/sudoku?position=${HARD}`);
    await page.getByRole('button', { name: 'Hint' }).click();
    await page.getByText('Stage 1 of 3').waitFor();
    await page.getByRole('button', { name: 'More…' }).click();
    await page.getByText('Stage 2 of 3').waitFor();
    await page.getByRole('button', { name: 'Show the step' }).click();
    await page.getByText('Stage 3 of 3').waitFor();
    check((await page.locator('.reason').innerText()).length > 20, 'a reason');
    await page.getByRole('checkbox', { name: /Candidates/ }).check();
    await shot(page, 'sudoku');
    for (let i = 0; i < 400; i++) {
      if ((await page.locator('.turn').innerText()) === 'Solved!') break;
      const look = () => `${location.href} ${document.querySelector('.hint')?.textContent} ${document.querySelector('.panel .primary')?.hasAttribute('disabled')}`;
      const before = await page.evaluate(look);
      await page.keyboard.press('h');
      await page.waitForFunction(
        (was) => {
          const now = `${location.href} ${document.querySelector('.hint')?.textContent} ${document.querySelector('.panel .primary')?.hasAttribute('disabled')}`;
          const ready = !document.querySelector('.panel .primary')?.hasAttribute('disabled');
          return (now !== was && ready) || document.querySelector('.turn')?.textContent === 'Solved!';
        },
        before,
      );
    }
    equal(await page.locator('.turn').innerText(), 'Solved!');
    await page.context().close();
  },

  async 'hidato: a new puzzle by difficulty, numbers by keyboard'() {
    const page = await open('#/hidato', { viewport: { width: 390, height: 844 } });
    await page.locator('[data-cell]').first().waitFor();
    const before = page.url();
    await page.getByLabel('Size').fill('5x5');
    await page.getByLabel('Difficulty').selectOption('easy');
    await page.getByRole('button', { name: 'Make one' }).click();
    await page.waitForFunction((was) => location.href !== was, before);
    await page.locator('.level.easy').waitFor();
    await page.getByRole('button', { name: 'Hint' }).click();
    await page.getByRole('button', { name: 'More…' }).click();
    await page.getByRole('button', { name: 'Show the step' }).click();
    const step = await page.locator('.hint .win').innerText();
    const [, row, column, value] = /r(\d+)c(\d+)=(\d+)/.exec(step);
    const cells = await page.evaluate(() => Math.sqrt(document.querySelectorAll('[data-cell]').length));
    await page.locator(`[data-cell="${(Number(row) - 1) * cells + Number(column) - 1}"]`).click();
    await page.keyboard.type(value);
    await page.keyboard.press('Enter');
    await page.waitForFunction((m) => decodeURIComponent(location.hash).includes(m), `r${row}c${column}=${value}`);
    await shot(page, 'hidato-phone');
    await page.context().close();
  },

  async 'work: a build is started, stopped and resumed'() {
    const page = await open('#/work');
    await page.getByLabel('Variant').fill('kalah:6,2');
    await page.getByLabel('Variant').press('Tab');
    await page.getByLabel('Name').fill('big');
    await page.getByRole('button', { name: 'What does it need?' }).click();
    await page.getByText('of memory').waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    const job = page.locator('[data-job]').first();
    await page.waitForFunction(() => /[1-9][\d,]* of [\d,]+ positions/.test(document.querySelector('[data-job]')?.textContent ?? ''));
    await job.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.job.stopped').first().waitFor();
    await page.locator('.job.stopped').first().getByRole('button', { name: 'Resume' }).click();
    await page.locator('.job.running').first().waitFor();
    await page.locator('.job .plot canvas').first().waitFor();
    await shot(page, 'work');
    const stop = page.locator('.job.running').first().getByRole('button', { name: 'Stop' });
    if ((await stop.count()) > 0) await stop.click();
    await page.waitForFunction(() => document.querySelectorAll('.job.running').length === 0);
    await page.context().close();
  },

  async 'lab: an experiment runs and is plotted'() {
    const page = await open('#/lab');
    await page.getByRole('region', { name: 'Experiment phase' }).getByRole('button', { name: 'Run quickly' }).click();
    await page.locator('.plot canvas').first().waitFor();
    await page.locator('.chip', { hasText: 'done' }).waitFor();
    await shot(page, 'lab');
    await page.context().close();
  },

  async 'a phone shows every page without scrolling sideways'() {
    const page = await open('#/', { viewport: { width: 390, height: 844 } });
    for (const hash of ['#/', '#/connect4?moves=4,4', '#/kalah', '#/reversi', '#/chess', '#/sudoku', '#/hidato', '#/work', '#/lab']) {
      await page.goto(base + hash);
      await page.locator('main svg, main h1').first().waitFor();
      await page.waitForTimeout(200);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(wide <= 0, hash, 'is too wide by', wide);
    }
    await page.goto(`${base}#/connect4?moves=4,4,4`);
    await shown(page);
    await shot(page, 'connect4-phone');
    await page.context().close();
  },

  async 'every cell of every board has a label, and the focus is never lost'() {
    const page = await open('#/');
    for (const [hash, cells] of [['#/connect4', 7], ['#/kalah', 12], ['#/reversi', 64], ['#/chess', 64], ['#/sudoku', 81], ['#/hidato', 40]]) {
      await page.goto(base + hash);
      await page.locator('.board .target').nth(cells - 1).waitFor();
      const bare = await page.evaluate(() => [...document.querySelectorAll('.board .target')].filter((e) => !e.getAttribute('aria-label')).length);
      equal(bare, 0, hash);
    }
    await page.context().close();
  },

  async 'leaving a position ends the work on it'() {
    const page = await open('#/connect4:9x8');
    await page.locator('.verdict', { hasText: 'narrowing' }).waitFor();
    await page.goto(`${base}#/connect4?moves=4`);
    const began = Date.now();
    await shown(page);
    check(Date.now() - began < 20000, 'the solvers are busy');
    await page.context().close();
  },
};

const only = process.argv.slice(2);
const names = Object.keys(tests).filter((n) => only.length === 0 || only.some((o) => n.includes(o)));
console.log(`1..${names.length}`);
let failed = 0;
for (const [i, name] of names.entries()) {
  problems = [];
  try {
    await tests[name]();
    equal(problems, [], 'the console');
    console.log(`ok ${i + 1} - ${name}`);
  } catch (error) {
    failed++;
    console.log(`not ok ${i + 1} - ${name}`);
    for (const line of `${error.message}\n${problems.join('\n')}`.split('\n')) console.log(`# ${line}`);
    for (const context of browser.contexts()) {
      if (process.env.FAILED_SHOTS) await context.pages()[0]?.screenshot({ path: join(process.env.FAILED_SHOTS, `failed-${i + 1}.png`) });
      await context.close();
    }
  }
}
await browser.close();
server.kill('SIGINT');
await new Promise((done) => (server.exitCode !== null ? done() : server.once('exit', done)));
rmSync(folder, { recursive: true, force: true });
process.exit(failed > 0 ? 1 : 0);
