import type { Message } from '../../../../src/domain/messages/message.ts';
import type { MyData } from '../../../../src/my/contract.ts';
import { get } from '../../api/call.ts';
import { useReader } from '../../reader.tsx';
import { Card, Facts, Loading, Problem, useLoaded } from '../../ui/parts.tsx';

type Section = MyData['sections'][number];

const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);
const isMoment = (text: string) => /^\d{4}-\d\d-\d\dT/.test(text);

const isMessage = (value: object): value is Message => 'key' in value && 'values' in value;

/** Returns `firstName` as `First name`, for a part of a record without a name of its own. */
const spell = (name: string) => {
  const words = name.replace(/([A-Z])/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const nothing = '–';

function useValues() {
  const { t, formats, fieldName, valueName, renderMessage } = useReader();
  const format = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return nothing;
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    if (typeof value === 'number') return formats.number(value);
    if (typeof value === 'string') {
      if (isDate(value)) return formats.date(value);
      return isMoment(value) ? formats.time(value) : (valueName(value) ?? value);
    }
    if (Array.isArray(value)) return value.map(format).join(', ') || nothing;
    if (typeof value === 'object' && 'label' in value) return String(value.label);
    if (isMessage(value)) return renderMessage(value) ?? value.key;
    return Object.entries(value)
      .map(([name, one]) => `${fieldName(name) ?? spell(name)}: ${format(one)}`)
      .join('; ');
  };
  return { format, nameOf: (name: string) => fieldName(name) ?? spell(name) };
}

function Records({ records }: Pick<Section, 'records'>) {
  const { format, nameOf } = useValues();
  // What is empty is not stored. The archive has every field.
  const factsOf = (record: Section['records'][number]) =>
    Object.entries(record)
      .map(([name, value]) => [nameOf(name), format(value)] as const)
      .filter(([, text]) => text !== nothing);
  return records.map((record, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: records have no name of their own, and never change their order.
    <div className="record" key={index}>
      <Facts facts={factsOf(record)} />
    </div>
  ));
}

/** Shows what is stored, by what it is about. The profile is open. */
export function StoredData() {
  const { t, sectionName } = useReader();
  const { data, error, reload } = useLoaded(() => get<MyData>('/data'), 'data');
  return (
    <Card title={t('dataText')}>
      <Problem error={error} onRetry={reload} />
      {data === undefined && error === undefined && <Loading rows={5} />}
      {data?.sections
        .filter(({ total }) => total > 0)
        .map(({ name, total, records }) => (
          <details key={name} className="section" open={name === 'profile'}>
            <summary>
              <span>{sectionName(name)}</span>
              {name !== 'profile' && <small>{t('dataRecords', { count: total })}</small>}
            </summary>
            <Records records={records} />
            {total > records.length && <p className="hint">{t('dataNewest')}</p>}
          </details>
        ))}
    </Card>
  );
}
