import type { Locator, Page } from 'playwright-core';
import { type RequestAction, requestActions } from '../../../src/domain/enums.ts';
import { until } from '../until.ts';
import { asTable } from './rosters.ts';

/** Steps that open the dialogs and menus of the pages. They find everything by its place, so they work in any language. */
type Step = (page: Page) => Promise<void>;

const dialogOf = (page: Page) => page.getByRole('dialog');

/** Returns a step that clicks something, and waits for the dialog that it opens. */
const opening =
  (find: (page: Page) => Locator): Step =>
  async (page) => {
    await find(page).click();
    await dialogOf(page).waitFor();
  };

const buttonsOfHeader = (page: Page) => page.locator('main h1').locator('xpath=ancestor::div[3]').getByRole('button');

/** Opens the dialog of a button in the header of the page. The first one is its main action. */
export const openDialog = (button = 0): Step => opening((page) => buttonsOfHeader(page).nth(button));

const isMenuInView = `(() => {
  const box = document.querySelector('[role=menu]')?.getBoundingClientRect();
  return box !== undefined && box.height > 0 && box.top >= 0 && box.left >= 0
    && box.bottom <= innerHeight && box.right <= innerWidth;
})()`;

/** Waits until the menu has its place. Before that, a click would scroll, and a menu whose button is out of sight closes. */
const menuInPlace: Step = (page) => until('the menu is in view', () => page.evaluate<boolean>(isMenuInView), 30_000);

export const openMenu: Step = async (page) => {
  await page.locator('main button[aria-haspopup=menu]').first().click();
  await menuInPlace(page);
};

/** Opens the dialog of an item in the first menu of the page. */
export const chooseAction =
  (item: number): Step =>
  async (page) => {
    await openMenu(page);
    await opening(() => page.getByRole('menuitem').nth(item))(page);
  };

/** Shows what ending or changing a subscription would do. */
export const decide: Step = async (page) => {
  await chooseAction(0)(page);
  await dialogOf(page).locator('section').waitFor();
};

/** Opens one of the last three buttons of the header: the language, the appearance, or the account. */
export const openHeaderMenu =
  (menu: number): Step =>
  async (page) => {
    const buttons = page.locator('header button:visible');
    await buttons.nth((await buttons.count()) - 3 + menu).click();
    await menuInPlace(page);
  };

/** Opens the navigation, which is always open on wide screens. */
export const openNavigation: Step = async (page) => {
  const burger = page.locator('header button[aria-expanded]:not([aria-haspopup]):visible');
  if ((await burger.count()) > 0) await burger.click();
};

export const openPalette: Step = async (page) => {
  await page.keyboard.press('Control+k');
  await page.getByRole('option').first().waitFor();
};

export const findInPalette: Step = async (page) => {
  await openPalette(page);
  await page.getByRole('combobox').fill('an');
  await page.getByRole('group', { name: /^(Employees|Beschäftigte)$/ }).waitFor();
};

export const upload =
  (lines: string[]): Step =>
  async (page) => {
    await page.locator('input[type=file]').setInputFiles(asTable('roster.csv', lines));
    await page.locator('main section, main [role=alert]').first().waitFor();
  };

/** The button that shows the filters on a phone is none of them. */
const collapsed = 'main [aria-expanded=false]:not([aria-haspopup], .filters *)';

/** Expands everything that is collapsed on the page. */
export const unfold: Step = async (page) => {
  const folded = page.locator(collapsed);
  while ((await folded.count()) > 0) await folded.first().click();
};

export const unfoldFirst: Step = async (page) => {
  await page.locator(collapsed).first().click();
};

/** Submits the first form without filling it in. */
export const submit: Step = async (page) => {
  await page.locator('main form button[type=submit]').first().click();
  await page.locator('main [aria-invalid=true]').first().waitFor();
};

export const selectEmployee: Step = async (page) => {
  await page.locator('main tbody input[type=checkbox]').first().check();
};

const agreementItems = ['letters', 'links', 'reject', 'accept'];

/** Selects an employee and opens the dialog of an item in a menu of the bar: the first about agreements, the last about subscriptions. */
const openFromBar =
  (menu: number, item: number): Step =>
  async (page) => {
    await selectEmployee(page);
    await page.locator('main [role=region] button[aria-haspopup=menu]').nth(menu).click();
    await menuInPlace(page);
    await opening(() => page.getByRole('menuitem').nth(item))(page);
    await page.waitForLoadState('networkidle');
  };

/** Opens a dialog about contracts: letters, signing links, rejection or acceptance. */
export const openContracts = (name: 'letters' | 'links' | 'reject' | 'accept'): Step =>
  openFromBar(0, agreementItems.indexOf(name));

/** Opens the dialog that requests the same for the selected employees. */
export const openBatch = (action: RequestAction): Step => openFromBar(-1, requestActions.indexOf(action));

/** Opens one of the small windows above the list of employees. Phones have no choice of columns. */
export const openPopover =
  (number: number): Step =>
  async (page) => {
    const button = page.locator('main button[aria-haspopup=dialog]:visible').nth(number);
    if ((await button.count()) > 0) await opening(() => button)(page);
  };

export const openHeld: Step = opening((page) => page.locator('main section.waiting').getByRole('button').first());

/** Approves the pending removals, unless that was done before. */
export const approve: Step = async (page) => {
  const waiting = page.locator('main section.waiting');
  if ((await waiting.count()) === 0) return;
  await openHeld(page);
  const dialog = dialogOf(page);
  const [count = ''] = /\d+/.exec(await dialog.getByRole('heading').innerText()) ?? [];
  await dialog.getByRole('textbox').fill(count);
  await dialog.getByRole('button').last().click();
  await waiting.waitFor({ state: 'detached' });
};

/** Opens the newest delivery in the log of an endpoint. */
export const openDelivery: Step = async (page) => {
  await page.locator('main table button').first().click();
  await dialogOf(page).locator('pre').last().waitFor();
};

export const openReplay: Step = opening((page) => page.locator('main section :has(> h2) + button').first());

/** Fills in the first field of a dialog, submits it and waits for what is shown once. */
export const create =
  (text: string): Step =>
  async (page) => {
    await openDialog()(page);
    const dialog = dialogOf(page);
    await dialog.locator('input:not([type=checkbox])').first().fill(text);
    await dialog.locator('button[type=submit]').click();
    await dialog.locator('input[readonly]').first().waitFor();
  };

/** Creates a key that may read employees. */
export const createKey: Step = async (page) => {
  await openDialog()(page);
  const dialog = dialogOf(page);
  await dialog.getByRole('textbox').first().fill('Screen');
  await dialog.getByRole('checkbox').first().check();
  await dialog.locator('button[type=submit]').click();
  await dialog.locator('pre').waitFor();
};

export const withdrawInvitation: Step = opening((page) =>
  page.locator('main table').last().getByRole('button').first(),
);

/** Chooses a source of rosters, counted from the first card. */
export const chooseSource =
  (card: number): Step =>
  async (page) => {
    await page.locator('main .source-card').nth(card).click();
    await page.locator('form input').first().waitFor();
  };

export const enterWrongVatId: Step = async (page) => {
  await page.locator('main [data-setting=vatId]').fill('DE12');
  await page.locator('main form button[type=submit]').first().click();
  await page.locator('main [aria-invalid=true]').waitFor();
};

/** Requests to move the clock to the first day that the page offers. */
export const openTravelConfirmation: Step = async (page) => {
  await page.locator('main form .mantine-Button-root').first().click();
  await page.locator('main form button[type=submit]').first().click();
  await dialogOf(page).locator('li').first().waitFor();
};

export const openCalendar: Step = opening((page) => page.locator('main form [aria-haspopup=dialog]').first());

/** Opens an item of a user's menu, counted from the top. */
export const chooseUserAction =
  (name: string, item: number): Step =>
  async (page) => {
    await page.getByRole('row').filter({ hasText: name }).getByRole('button').click();
    await menuInPlace(page);
    await opening(() => page.getByRole('menuitem').nth(item))(page);
    await page.waitForLoadState('networkidle');
  };

/** Shows the key for an authenticator app. The account stays without a second factor until a code confirms it. */
export const addSecondFactor: Step = async (page) => {
  await page.getByRole('button', { name: /^(Add an authenticator app|Authentifizierungs-App hinzufügen)$/ }).click();
  await page.locator('main input[autocomplete=one-time-code]').waitFor();
};

/** Sends an invitation as if the sign-in were too long ago, which a test cannot wait for. */
export const requireStepUp: Step = async (page) => {
  const body = JSON.stringify({ status: 403, code: 'step-up-required', title: 'Confirm who you are' });
  await page.route('**/portal/api/users/invitations', (route) =>
    route.fulfill({ status: 403, contentType: 'application/problem+json', body }),
  );
  await openDialog()(page);
  await dialogOf(page).getByRole('textbox').fill('guest@musterwerk.example');
  await dialogOf(page).locator('button[type=submit]').click();
  await page.locator('input[type=password]').waitFor();
};

/** Ends the session, and lets the page notice it. */
export const endSession: Step = async (page) => {
  await page.context().clearCookies();
  await page.getByRole('main').getByRole('searchbox').fill('an');
  await dialogOf(page).waitFor();
};

export const rejectOffer: Step = opening((page) => page.locator('main button').last());
