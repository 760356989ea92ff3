/**
 * The values in the commands that the user pastes into a terminal. The password stays a placeholder, because only the
 * user has it.
 */
export interface Reader {
  apiUrl: string;
  /** The username of an active key, if there is one. */
  username: string | undefined;
  integrationId: number | undefined;
}

const credentials = ({ username }: Reader) => `-u '${username ?? 'USERNAME'}:PASSWORD'`;

export const firstCall = (reader: Reader) => `curl ${credentials(reader)} \\\n  '${reader.apiUrl}/me'`;

export const readEmployees = (reader: Reader) =>
  `curl ${credentials(reader)} \\\n  '${reader.apiUrl}/employees?perPage=5'`;

/** A file, because the preview and the sync take the same body. */
export const rosterFile = `{
  "syncId": "first-roster",
  "employees": [
    {
      "hrId": "E-1001",
      "firstName": "Anna",
      "lastName": "Müller",
      "email": "anna.mueller@example.com",
      "startDate": "2024-02-01",
      "autoSyncEmployee": true,
      "absences": []
    }
  ]
}`;

const sync = (reader: Reader, query: string) =>
  `curl -i ${credentials(reader)} \\
  -H 'Content-Type: application/json' \\
  --data-binary @roster.json \\
  '${reader.apiUrl}/hr-integrations/${reader.integrationId ?? 'INTEGRATION_ID'}/sync${query}'`;

export const previewRoster = (reader: Reader) => sync(reader, '?dryRun=true');
export const pushRoster = (reader: Reader) => sync(reader, '');
