import type { Random } from './random.ts';

interface NameGroup {
  weight: number;
  first: readonly string[];
  last: readonly string[];
}

const words = (text: string) => text.trim().split(/\s+/);

/** First and last names that go together, and the percentage of employees with such a name. */
const nameGroups: readonly NameGroup[] = [
  {
    weight: 62,
    first: words(`Anna Ben Björn Carla Christian Clara Daniel Dörte Elias Emma Felix Finn Frieda Greta Günter Hanna
      Heike Jakob Jan Jonas Jörg Jürgen Käthe Karl Katharina Lena Leon Lukas Luise Mara Marie Max Mia Moritz Nele
      Niklas Nora Oskar Paul Paula Petra René Ronja Sabine Sönke Sophie Stefan Theo Thomas Tim Tobias Ulrike Ute Zoë`),
    last: words(`Albrecht Bäcker Bauer Becker Böhm Brandt Dietrich Engel Fischer Franke Fröhlich Fuchs Förster Graf
      Groß Günther Hahn Hartmann Heinrich Hofmann Huber Jäger Jung Kaiser Keller Köhler König Krämer Krause Krüger
      Kühn Lange Lehmann Lorenz Löwe Maier Meißner Möller Müller Neumann Peters Pfäffle Richter Roth Sauer Schäfer
      Schmidt Schneider Schröder Schulz Seidel Sommer Stöcker Strauß Thiel Vogel Voß Wagner Weber Weiß Winkler Wolf
      Zimmermann`),
  },
  {
    weight: 12,
    first: words('Ayşe Burak Can Çağla Deniz Elif Emre Gülay İlker Kübra Mehmet Özlem Selin Şule Yiğit Zeynep'),
    last: words('Aydın Çelik Demir Doğan Erdoğmuş Kaya Kılıç Öztürk Şahin Toprak Yıldız Yılmaz'),
  },
  {
    weight: 9,
    first: words('Agnieszka Bartłomiej Grażyna Jakub Łukasz Małgorzata Michał Paweł Stanisław Zuzanna'),
    last: words('Dudek Głowacz Kowalczyk Nowak Pawłowicz Szczepaniak Wójcik Woźniak Wróbel Zając Żuraw'),
  },
  {
    weight: 6,
    first: words('Åsa Astrid Bjørn Freja Håkon Jørgen Linnéa Mikkel Sigrún Søren'),
    last: words('Ågren Bergström Hansen Jørgensen Lindqvist Møller Nygård Ødegård Sørensen'),
  },
  {
    weight: 6,
    first: words('Aurélie Benoît Chloé Élodie François Gaëlle Jérôme Noël'),
    last: words('Besançon Dubois Lefèvre Léger Moreau Crèvecœur Noël'),
  },
  {
    weight: 5,
    first: words('Andrés Begoña Inês Íñigo João Lucía Núria Raúl'),
    last: words('Conceição Fernández Gómez Ibáñez Muñoz Núñez Peña Simões'),
  },
];

const transliterations: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  ø: 'oe',
  å: 'aa',
  æ: 'ae',
  œ: 'oe',
};
const plainLetters: Record<string, string> = { ł: 'l', ı: 'i', đ: 'd' };

/** Transliterates a name as company mail systems do: `jürgen.groß` is `juergen.gross`. */
const mailName = (name: string) =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüßøåæœ]/g, (letter) => transliterations[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[łıđ]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/[^a-z]/g, '');

const weightedGroups = nameGroups.flatMap((group) => Array.from({ length: group.weight }, () => group));

/**
 * Draws a name with a unique mailbox. `taken` contains the mailboxes in use. `givenName` is for an employee who marries
 * and keeps their first name.
 */
export function drawName(random: Random, taken: Set<string>, givenName?: string) {
  for (;;) {
    const group = random.pick(weightedGroups);
    const [firstName, lastName] = [givenName ?? random.pick(group.first), random.pick(group.last)];
    const mailbox = `${mailName(firstName)}.${mailName(lastName)}`;
    if (taken.has(mailbox)) continue;
    taken.add(mailbox);
    const email = `${mailbox}@musterwerk.example`;
    const profileImage = random.chance(0.3) ? `https://images.musterwerk.example/${mailbox}.jpg` : null;
    return { firstName, lastName, email, profileImage };
  }
}
