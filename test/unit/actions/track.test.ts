import { planRequests } from '../../../nodes/ParcelShipping/actions/shipment/track.operation';

test('the numbers of all items are requested by carrier, each once and a hundred at a time', () => {
	const numbers = Array.from({ length: 150 }, (_, at) => `A${at}`);
	const questions = [
		...numbers.slice(0, 120).map((number) => ({ carrierCode: 'ANT', number })),
		{ carrierCode: 'BEAVER', number: 'A1' },
		...[...numbers.slice(100), ''].map((number) => ({ carrierCode: 'ANT', number })),
	];
	expect(planRequests(questions)).toEqual([
		{ carrierCode: 'ANT', numbers: numbers.slice(0, 100) },
		{ carrierCode: 'ANT', numbers: numbers.slice(100) },
		{ carrierCode: 'BEAVER', numbers: ['A1'] },
	]);
});
