import renderCoverSheet, { type CoverSheetTask } from './cover-sheet/render.ts';
import renderYear, { type YearTask } from './year/render.ts';

export type RenderTask = CoverSheetTask | YearTask;

/** Renders what payroll downloads, apart from the files of exports, which are stored. */
export default (task: RenderTask): Promise<Uint8Array> => ('sheet' in task ? renderCoverSheet(task) : renderYear(task));
