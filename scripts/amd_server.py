# SPDX-License-Identifier: Apache-2.0
"""amdserve.py of AMD_TOOLS with four mistakes of the emulator put right.

Generic (FLAT) memory instructions, which kernels that follow addresses found in memory use: on CDNA
their unused scalar-address field holds 0, which the emulator takes for s[0:1], so the field is set
to "none" when a code object is loaded; on RDNA4 it misses the address calculation that it has for
the other memory instructions. Private and shared memory through generic pointers stays unmapped,
so such an access still ends in a fault.

A 32-bit store to an address that is no multiple of 4, which hardware does and clang makes of two
16-bit ones, went to the word below. Wider stores are made of several, which read a word before the
one in front has written its part of it: each gets that part, too.

The signs that CDNA's sub-word (SDWA) operands may be changed by were left out.
"""
import itertools, os, re, runpy, struct, sys

tools = os.environ["AMD_TOOLS"]
sys.path.insert(0, tools)
import amdemu

load = amdemu.CodeObject.__init__
start = amdemu._emu
NO_SCALAR_ADDRESS = 0x7F << 16


def load_and_correct(self, *args, **kwargs):
    load(self, *args, **kwargs)
    if amdemu.family(self.mach) != "cdna":
        return
    for at, (mnemonic, _, _) in self.asm.items():
        if mnemonic.startswith("flat_"):
            (word,) = struct.unpack_from("<I", self.mem, at + 4)
            struct.pack_into("<I", self.mem, at + 4, word | NO_SCALAR_ADDRESS)


def base_and_offset(addr):
    if addr.op.name == "ADD":
        number = addr.src[1].src[0] if addr.src[1].op.name == "CAST" else addr.src[1]
        if number.op.name == "CONST":
            base, offset = base_and_offset(addr.src[0])
            return base, offset + number.arg
    return addr, 0


def correct_stores(emu):
    mem_store, UOp, dtypes = emu._mem_store, emu.UOp, emu.dtypes
    before = {}  # the 32-bit store before this one: where it ends, and its value

    def store(mem, addr, val, active, addr_bits=32, data_bits=32):
        if data_bits != 32 or addr_bits != 64:
            before.clear()
            return mem_store(mem, addr, val, active, addr_bits, data_bits)
        u64 = lambda x: UOp.const(x, dtypes.uint64)
        word, byte = addr >> u64(2), addr & u64(3)
        shift = byte * u64(8)
        value = emu._to_u32(val).cast(dtypes.uint64)
        bits, mask = value << shift, u64(0xFFFFFFFF) << shift
        base, offset = base_and_offset(addr)
        if before.get("end") == (base, offset, active):  # its last bytes are this one's first word's
            bits, mask = bits | (before["value"] << shift) >> u64(32), mask | u64(0xFFFFFFFF)
        before.update(end=(base, offset + 4, active), value=value)
        stores = []
        for i, on in ((0, active), (1, active & byte.ne(u64(0)))):
            at = mem.index((word + u64(i)).valid(on))
            part = lambda x: (x >> u64(32 * i)).cast(dtypes.uint32)
            merged = (at & (part(mask) ^ UOp.const(0xFFFFFFFF, dtypes.uint32))) | part(bits)
            stores.append(at.store(on.where(merged, at)))
        return stores

    emu._mem_store = store


def correct_signs(emu):
    compile_sdwa, select, UOp, dtypes = emu._compile_sdwa, emu._sdwa_select, emu.UOp, emu.dtypes

    def compile_with_signs(inst, ctx):
        sign = 0x8000 if inst.canonical_op_bits["s0"] == 16 else 0x80000000
        sides = itertools.cycle(("src0", "src1"))  # the order in which operands are selected

        def select_with_sign(val, sel, sext):
            x, side = select(val, sel, sext), next(sides)
            if getattr(inst, side + "_abs", 0):
                x = x & UOp.const(0xFFFFFFFF ^ sign, dtypes.uint32)
            if getattr(inst, side + "_neg", 0):
                x = x ^ UOp.const(sign, dtypes.uint32)
            return x

        emu._sdwa_select = select_with_sign
        try:
            return compile_sdwa(inst, ctx)
        finally:
            emu._sdwa_select = select

    for kind, handler in emu._INST_HANDLERS.items():
        if handler is compile_sdwa:
            emu._INST_HANDLERS[kind] = compile_with_signs


def start_and_correct():
    emu = start()
    if not hasattr(emu, "quern_corrected"):
        emu.quern_corrected = True
        pcode_of = emu.get_pcode

        def get_pcode(op):
            text = pcode_of(op)
            if type(op).__name__ != "VFLATOp":
                return text
            return re.sub(r"addr\s*=\s*Calc\w+Addr\([^)]*\)\s*;?\n?", "", text).replace("MEM[addr", "MEM[ADDR")

        emu.get_pcode = get_pcode
        correct_stores(emu)
        correct_signs(emu)
    return emu


amdemu.CodeObject.__init__ = load_and_correct
amdemu._emu = start_and_correct
runpy.run_path(os.path.join(tools, "amdserve.py"), run_name="__main__")
