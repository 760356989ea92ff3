/** Renders a search field that a script shows and that filters the entries which match the selector. */
export const renderSearch = (label: string, selector: string) =>
  `<div class="search" hidden><label for="filter">${label}</label>` +
  `<input type="search" id="filter" autocomplete="off" data-filter="${selector}" aria-describedby="found">` +
  '<p id="found" role="status"></p></div>';
