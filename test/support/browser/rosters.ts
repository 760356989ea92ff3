/** A file as a user would choose it in the browser. */
export interface RosterFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Returns a CSV file with these comma-separated lines. The first line names the columns. */
export const asTable = (name: string, lines: string[]): RosterFile => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(`${lines.join('\r\n')}\r\n`),
});

const columns = 'hrId,firstName,lastName,email,autoSyncEmployee';

export const firstRoster = asTable('roster.csv', [
  columns,
  'E-1,Anna,Müller,anna@example.com,true',
  'E-2,Ben,Krause,ben@example.com,true',
  'E-3,Cem,Yıldız,cem@example.com,',
]);

/** Anna has a new last name, Ben has left, and Cem is to get a ticket. */
export const changedRoster = asTable('roster.csv', [
  columns,
  'E-1,Anna,Meyer,anna@example.com,true',
  'E-3,Cem,Yıldız,cem@example.com,true',
]);

/** Returns a roster of this many employees of a branch. None of them is to get a ticket. */
export const branchRoster = (employees: number): RosterFile => ({
  name: 'branch.json',
  mimeType: 'application/json',
  buffer: Buffer.from(
    JSON.stringify(
      Array.from({ length: employees }, (_, index) => ({
        hrId: `B-${index + 1}`,
        firstName: 'Bo',
        lastName: `Branch ${index + 1}`,
        email: `bo.${index + 1}@example.com`,
      })),
    ),
  ),
});
