import type { Assignment, ListFee } from '../../companies/price-lists.ts';
import { type FeePrice, feeOn, priceOn } from './charges.ts';

/**
 * Returns the fees of a company by its price list of each day. Where a list says nothing of a fee, the standard one applies. A price
 * begins whenever the list, its fee or the standard fee changes.
 */
export function resolveFees(
  standard: readonly FeePrice[],
  fees: readonly ListFee[],
  assignments: readonly Assignment[],
): FeePrice[] {
  const types = [...new Set(standard.map(({ chargeType }) => chargeType))];
  return types.flatMap((chargeType) => {
    const own = fees.filter((fee) => fee.chargeType === chargeType);
    const ofType = standard.filter((fee) => fee.chargeType === chargeType);
    const days = new Map([...ofType, ...own, ...assignments].map(({ validFrom }) => [validFrom.toString(), validFrom]));
    return [...days.values()].flatMap((validFrom): FeePrice[] => {
      const usual = feeOn(ofType, chargeType, validFrom);
      if (usual === undefined) return [];
      const list = priceOn(assignments, validFrom)?.priceList;
      const listed = priceOn(
        own.filter((fee) => fee.priceList === list),
        validFrom,
      );
      return [{ ...usual, validFrom, netCents: listed?.netCents ?? usual.netCents }];
    });
  });
}
